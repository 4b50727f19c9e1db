"""Slow, readable reference engines that the compiled kernels are proven against."""
