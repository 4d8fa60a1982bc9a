import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { mustBeOfThisRelease } from '#server/cli/must-be-of-this-release.ts'
import { openOffice } from '#server/cli/open-office.ts'
import { complain, say } from '#server/cli/output.ts'
import { configOrUsageError, readArguments, UsageError } from '#server/cli/usage.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { changeOfficeState } from '#server/features/offices/suspend-office.ts'

type Change = 'suspend' | 'resume'

const STATES = { suspend: 'suspended', resume: 'active' } as const

/** `rubrica office suspend`: stops the work of an office, beside the server or without it. */
export const officeSuspend = (args: string[]) => change('suspend', args)

/** `rubrica office resume`: lets it go on. */
export const officeResume = (args: string[]) => change('resume', args)

/**
 * @returns 1 if no office, or more than one, is meant
 * @throws {UsageError}
 */
async function change(name: Change, args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS[`office ${name}`].options)
  const reason = Reason.safeParse(values.reason).data
  if (!reason || positionals.length > 0)
    throw new UsageError('Escriba el motivo, de 10 a 500 letras: --reason TEXTO.')
  const number = numberIn(values.number)
  const db = openOffice(configOrUsageError())
  try {
    await mustBeOfThisRelease(db)
    const asked = { number, entity: values.entity, state: STATES[name], reason }
    const { office: found, isChanged } = await changeOfficeState({ db, clock: systemClock }, asked)
    say(sentenceOf(name, found.name, isChanged))
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    complain('Ninguna notaría, o más de una, es esa: escriba --number y --entity.')
    return 1
  } finally {
    await db.close()
  }
}

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError('Escriba el número de la notaría con cifras: --number 12.')
  return Number(text)
}

function sentenceOf(name: Change, office: string, isChanged: boolean): string {
  if (!isChanged)
    return name === 'suspend' ? `${office} ya estaba suspendida.` : `${office} no está suspendida.`
  return name === 'suspend'
    ? `${office} quedó suspendida: nadie entra ni firma. Lo que firmó se sigue verificando. Queda en la bitácora.`
    : `${office} vuelve a trabajar: su gente puede entrar. Queda en la bitácora.`
}
