#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Lists our C++ files.
cd "$(dirname "$0")/.." && find src python tests bench examples -regex '.*\.\(cpp\|h\|inl\)' | sort
