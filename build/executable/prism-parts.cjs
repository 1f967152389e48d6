/** The code of the file `prism.js` of the executable. */
module.exports = { ...require('@stoplight/prism-core'), ...require('@stoplight/prism-http') }
