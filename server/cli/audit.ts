import type { SubCommand } from '#server/cli/commands/commands.ts'
import type { Command } from './run.ts'
import { UsageError } from './usage.ts'

const COMMANDS: Readonly<Record<SubCommand<'audit'>, () => Promise<Command>>> = {
  export: async () => (await import('./audit-export.ts')).auditExport,
  'verify-proof': async () => (await import('./audit-verify-proof.ts')).auditVerifyProof,
  verify: async () => (await import('./audit-verify.ts')).auditVerify,
}

/** `rubrica audit …`: exports and checks the log. @throws {UsageError} */
export async function audit(
  [name = '', ...args]: string[],
  workingFolder: string,
): Promise<number> {
  if (!isCommand(name))
    throw new UsageError(
      name
        ? `No existe el comando “audit ${name}”.`
        : 'Diga qué hacer con la bitácora: export, verify o verify-proof.',
    )
  const command = await COMMANDS[name]()
  return await command(args, workingFolder)
}

const isCommand = (name: string): name is SubCommand<'audit'> => Object.hasOwn(COMMANDS, name)
