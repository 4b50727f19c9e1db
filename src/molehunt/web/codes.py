"""An address as a QR code, for the phones of those who sit around."""

from __future__ import annotations

from io import BytesIO

QUIET = 4
"""Modules of empty rim around a code, as ISO/IEC 18004 asks for."""


def qr_code(address: str) -> bytes:
    """A QR code as SVG, black on white in light and dark, so that every camera reads it."""
    import segno

    made = BytesIO()
    segno.make(address, error="m", micro=False).save(
        made, kind="svg", border=QUIET, light="#fff", title=f"QR code of {address}", omitsize=True
    )
    return made.getvalue()
