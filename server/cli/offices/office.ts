import type { SubCommand } from '#server/cli/commands/commands.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { mustBeOfThisRelease } from '#server/cli/must-be-of-this-release.ts'
import { openOffice } from '#server/cli/open-office.ts'
import { say } from '#server/cli/output.ts'
import type { Command } from '#server/cli/run.ts'
import { configOrUsageError, readArguments, UsageError } from '#server/cli/usage.ts'
import { isSuspended } from '#server/db/people/office-states.ts'
import { listOffices } from '#server/db/people/offices.ts'

const TASKS: Readonly<Record<SubCommand<'office'>, () => Promise<Command>>> = {
  create: async () => (await import('./office-create.ts')).officeCreate,
  list: async () => list,
  suspend: async () => (await import('./office-state.ts')).officeSuspend,
  resume: async () => (await import('./office-state.ts')).officeResume,
}

/** `rubrica office …`: the offices of the installation, for its operator. @throws {UsageError} */
export async function office(
  [name = '', ...args]: string[],
  workingFolder: string,
): Promise<number> {
  if (!isTask(name))
    throw new UsageError('Diga qué hacer con las notarías: create, list, suspend o resume.')
  const task = await TASKS[name]()
  return await task(args, workingFolder)
}

const isTask = (name: string): name is SubCommand<'office'> => Object.hasOwn(TASKS, name)

/** `rubrica office list`: the id, the number and the name of each office. */
async function list(args: string[]): Promise<number> {
  const { positionals } = readArguments(args, COMMANDS['office list'].options)
  if (positionals.length > 0) throw new UsageError('list no espera nada más.')
  const db = openOffice(configOrUsageError())
  try {
    await mustBeOfThisRelease(db)
    const offices = await listOffices(db)
    if (offices.length === 0) say(NONE_YET)
    for (const { id, number, entity, name } of offices) {
      const state = (await isSuspended(db, id)) ? ' (suspendida)' : ''
      say(`${id}  Notaría ${number} de ${entity}: ${name}${state}`)
    }
    return 0
  } finally {
    await db.close()
  }
}

const NONE_YET = 'Todavía no hay ninguna notaría: se crea con el enlace que muestra npm start.'
