import type { SubCommand } from '#server/cli/commands/commands.ts'
import type { Command } from '#server/cli/run.ts'
import { UsageError } from '#server/cli/usage.ts'

const TASKS: Readonly<Record<SubCommand<'blobs'>, () => Promise<Command>>> = {
  migrate: async () => (await import('./blobs-migrate.ts')).blobsMigrate,
}

/** `rubrica blobs …`: where the stored files lie. @throws {UsageError} */
export async function blobs(
  [name = '', ...args]: string[],
  workingFolder: string,
): Promise<number> {
  if (!isTask(name)) throw new UsageError('Falta la tarea. Use: rubrica blobs migrate.')
  const task = await TASKS[name]()
  return await task(args, workingFolder)
}

const isTask = (name: string): name is SubCommand<'blobs'> => Object.hasOwn(TASKS, name)
