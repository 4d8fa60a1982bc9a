import type { Command } from './run.ts'
import { UsageError } from './usage.ts'

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  export: async () => (await import('./audit-export.ts')).auditExport,
  'verify-proof': async () => (await import('./audit-verify-proof.ts')).auditVerifyProof,
  verify: async () => (await import('./audit-verify.ts')).auditVerify,
}

/** `rubrica audit …`: the log as a file, and what it proves. @throws {UsageError} */
export async function audit(
  [name = '', ...args]: string[],
  workingFolder: string,
): Promise<number> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new UsageError(`No existe la orden «audit ${name}».`)
  const command = await load()
  return await command(args, workingFolder)
}
