# SPDX-License-Identifier: Apache-2.0
"""The parts of bench/run.py: peers, building, scenarios, interleaved rounds, summary, output."""
