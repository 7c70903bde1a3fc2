#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make.sh PREFIX FOLDER: the module FOLDER/tulle/VERSION.lua for the Tulle that is installed in PREFIX.
set -eu
command=$1/bin/tulle
version=$("$command" --version)
version=${version#* }
mkdir -p "$2/tulle"
"$command" env --for module >"$2/tulle/${version}.lua"
echo "$2/tulle/${version}.lua"
