import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Started {
  /** What it printed up to the line that says where it listens. */
  output: string
  pid: number
  stop(): Promise<void>
}

/** Starts a script of ours in a process of its own, and waits until it says where it listens. */
export async function startProcess(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    if (line.includes('listening ')) break
  }
  child.stdout.resume()
  return {
    output,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export const portIn = (output: string, name: 'http' | 'smtp') => Number(new RegExp(`listening .*${name}=\\S*:(\\d+)`).exec(output)![1])
