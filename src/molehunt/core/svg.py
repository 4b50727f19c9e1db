"""What every SVG drawing is made of: elements of a tree, so that whatever text is put in is escaped."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from molehunt.core.errors import BadInput, check_is, value_text


def element(tag: str, *children: Element | str, **attributes: object) -> Element:
    """An SVG element. A child that is a string is its text; `class_` and `stroke_width` are class and stroke-width.

    Lengths are in the units of the picture. BadInput where `tag` is no name of an element.

    >>> molehunt.element("rect", x=0, y=0, width=40, stroke_width=2).attrib["stroke-width"]
    '2'
    """
    check_is(tag, str, "the name of an element is a text, such as 'rect'")
    names = {key.rstrip("_").replace("_", "-"): number(value) for key, value in attributes.items()}
    result = Element(tag, names)
    for child in children:
        if isinstance(child, str):
            result.text = child
        elif isinstance(child, Element):
            result.append(child)
        else:
            raise BadInput(f"in an element there are elements and text, not {value_text(child)}")
    return result


def number(value: object) -> str:
    """A value of an attribute as text: numbers with at most one decimal, so that drawings are small."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
