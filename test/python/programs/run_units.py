"""Runs the tests of the modules that it is given, and prints the numbers and the failures of each as JSON."""

from __future__ import annotations

import json
import sys
import unittest


def run(module: str) -> dict[str, object]:
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromName(module).run(result)
    return {'run': result.testsRun, 'skipped': len(result.skipped), 'failures': [text for _, text in (*result.failures, *result.errors)]}


print(json.dumps({module: run(module) for module in sys.argv[1:]}))
