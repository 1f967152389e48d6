module.exports = {
  require: 'test/support/hooks.ts',
  timeout: 10_000,
}
