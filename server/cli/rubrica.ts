import type { TopCommand } from '#server/cli/commands/commands.ts'
import { type Command, run } from './run.ts'

/*
 * The command line, as thin as the pages, over the same domain. Results go to standard output, reasons to
 * standard error. Exit status: 0 done or all valid, 1 refused or not valid, 2 wrong usage.
 */
const COMMANDS = {
  agent: async () => (await import('./agent.ts')).agent,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('#server/cli/backups/backup.ts')).backup,
  blobs: async () => (await import('./blobs/blobs.ts')).blobs,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'lift-lock': async () => (await import('./lift-lock.ts')).liftLock,
  office: async () => (await import('./offices/office.ts')).office,
  'recover-administrator': async () =>
    (await import('./recover-administrator.ts')).recoverAdministrator,
  restore: async () => (await import('#server/cli/backups/restore.ts')).restore,
  'rotate-office-keys': async () => (await import('./rotate-office-keys.ts')).rotateOfficeKeys,
  'rotate-keys': async () => (await import('./rotate-keys.ts')).rotateKeys,
  sign: async () => (await import('./sign.ts')).sign,
  trust: async () => (await import('./trust.ts')).trust,
  verify: async () => (await import('./verify.ts')).verify,
  'verify-intent': async () => (await import('./verify-intent.ts')).verifyIntent,
} satisfies Record<TopCommand, () => Promise<Command>>

process.exitCode = await run(COMMANDS, process.argv.slice(2))
