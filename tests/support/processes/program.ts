import { spawn } from 'node:child_process'
import type { Testimony } from '#tests/support/judges.ts'

/** A judge that asks a server of this very process, which could not answer while it waits. */
export function program(name: 'openssl', args: readonly string[]): Promise<Testimony> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { output: '', errors: '' }
    child.stdout.on('data', (chunk) => {
      said.output += chunk
    })
    child.stderr.on('data', (chunk) => {
      said.errors += chunk
    })
    child.once('error', reject)
    child.once('close', (status) => resolve({ status: status ?? -1, ...said }))
  })
}
