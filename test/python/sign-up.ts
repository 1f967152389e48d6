import { pythonLacks } from './python.ts'
import { runSignUps } from './sign-up-runs.ts'

/** `npm run node -- test/python/sign-up.ts 50`: the sign-up test of the Python SDK, so many times. */
const count = Number(process.argv[2] ?? 50)
const reason = pythonLacks('pytest')
if (reason !== undefined) console.log(`Not run, since this machine has ${reason}`)
else console.log(await runSignUps(count))
