/** Loads Prism, which only the mock needs, from a file of the executable: it is more code than all the rest. */
const { getAsset } = require('node:sea')
const { compileFunction } = require('node:vm')

const loaded = { exports: {} }
compileFunction(getAsset('prism.js', 'utf8'), ['module', 'exports', 'require'])(loaded, loaded.exports, require)
module.exports = loaded.exports
