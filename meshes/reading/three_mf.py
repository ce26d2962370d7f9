"""3MF: the objects its build names, with their components, transforms and unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from meshes.mesh_units import Axis, Unit
from meshes.reading.archive import Archive, opened_archive
from meshes.reading.clusters import clusters
from meshes.reading.limits import MOST_FACES, MOST_NODES
from meshes.reading.model_xml import Model, ModelObject, parsed_model, start_tags
from meshes.reading.scene import Scene, Shape, Unreadable
from meshes.reading.source import Source
from meshes.reading.text import clean_name
