# SPDX-License-Identifier: BSD-3-Clause
"""A page to fill in the place of the one that web/ builds, and what is found in it once it is filled."""
import base64
import gzip
import json
from html.parser import HTMLParser

import nibabel as nib
import numpy as np

EMPTY = """<!doctype html><html><head><meta charset="utf-8"><title>Report</title></head><body>
<main></main>
<!--STURM-STUDY-->
<!--STURM-VOLUMES-->
<script>document.title</script></body></html>
"""


class Page(HTMLParser):
    """The study, the volumes and pictures by id, and every element as a browser would see them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.tags, self.scripts, self.open = [], [], None
        self.feed(text)
        self.close()
        self.study = json.loads(self.script("study"))
        self.volumes, self.pictures = self.files("volume-"), self.files("picture-")

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "script":
            given = dict(attributes)
            self.open = [given.get("id"), given.get("type"), ""]

    def handle_endtag(self, tag):
        if tag == "script":
            self.scripts.append(tuple(self.open))
            self.open = None

    def handle_data(self, data):
        if self.open is not None:
            self.open[2] += data

    def files(self, kind):
        return {name[len(kind):]: text for name, _, text in self.scripts if name and name.startswith(kind)}

    def script(self, name):
        [text] = [text for found, _, text in self.scripts if found == name]
        return text

    def volume(self, name):
        return nib.Nifti1Image.from_bytes(gzip.decompress(base64.b64decode(self.volumes[name], validate=True)))

    def method(self, name):
        [method] = [method for method in self.study["methods"] if method["name"] == name]
        return method


def values(image):
    return np.asarray(image.dataobj, dtype=float)
