"""Is a contact sheet a picture, and the one of its item?"""

from collections.abc import Iterator
from io import BytesIO

from generators.item import Item

SHEET_BLOCK = 16
SHEET_TOLERANCE = 24.0
"""Mean absolute difference in levels, over any block of 16×16 pixels, that another palette may leave: Pillow may choose
other colours one day. A missing tile or another text differs by 40 or more."""


def sheet_problems(data: bytes, item: Item) -> Iterator[str]:
    """What is wrong with the file of an item's sheet."""
    import numpy as np
    from PIL import Image

    from generators.sheet import contact_sheet
    from verifier.blocks import Blocks

    expected = contact_sheet(item)
    width, height = expected.size
    try:
        with Image.open(BytesIO(data), formats=("PNG",)) as check:
            check.verify()
        with Image.open(BytesIO(data), formats=("PNG",)) as sheet:
            if sheet.size != expected.size:
                yield f"is {sheet.width}×{sheet.height} pixels where the sheet of its item has {width}×{height}"
                return
            pictures = [np.asarray(image.convert("RGB")).reshape(height, 3 * width) for image in (sheet, expected)]
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError):
        yield "is no PNG that can be read"
        return
    if Blocks(height, 3 * width, SHEET_BLOCK).worst_difference(*pictures) > SHEET_TOLERANCE:
        yield "is not the sheet of its item"
