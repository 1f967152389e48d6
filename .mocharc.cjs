module.exports = {
  require: 'test/support/hooks.ts',
  timeout: 120_000, // only a test that hangs reaches it, also on a machine with other work
}
