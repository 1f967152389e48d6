module.exports = {
  require: 'test/support/hooks.ts',
  timeout: 60_000,
}
