"""The version of this package. This file is made from package.json by `npm run generate`."""

version = '0.1.0'
