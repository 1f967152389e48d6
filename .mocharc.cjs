const namesFiles = process.argv.slice(2).some((argument) => argument.endsWith('.test.ts'))

module.exports = {
  require: 'test/support/hooks.ts',
  timeout: 10_000,
  // mocha adds this to the files of its arguments; `npm test -- FILE` runs that file alone
  spec: namesFiles ? [] : ['test/**/*.test.ts'],
}
