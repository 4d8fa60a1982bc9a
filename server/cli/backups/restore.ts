import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { composed, factsOf, tellAll } from '#server/cli/examination.ts'
import { complain, say, sayJson } from '#server/cli/output.ts'
import {
  configOrUsageError,
  orUsageError,
  readArguments,
  UsageError,
  unreadable,
} from '#server/cli/usage.ts'
import type { Config } from '#server/config.ts'
import { readIdentity, recipientOf, recipientText } from '#server/domain/age/keys.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { recordRestore } from '#server/features/backups/record-backup.ts'
import { examineData } from '#server/features/installation/examine-installation.ts'
import { type PutBack, putBack } from './put-back.ts'
import { moment, type NamedBackup, readChain } from './read-chain.ts'
import { holdPlace, mustBeEmptyPlace, mustBeEmptyStore, mustFit } from './restore-place.ts'
import { sentenceOfFailure } from './restore-refused.ts'

/**
 * `rubrica restore`: puts the state of the newest of the given backups into an empty place, and examines it.
 *
 * @returns 1 if nothing was restored, or if the examination found that something is lost
 * @throws {UsageError}
 */
export async function restore(args: string[], workingFolder: string): Promise<number> {
  const order = readOrder(args, workingFolder)
  const config = configOrUsageError()
  let release: (() => void) | undefined
  try {
    release = holdPlace(config)
    mustBeEmptyPlace(config)
    await mustBeEmptyStore(config)
    const chain = await readChain(order.files, order.identities)
    const bytes = order.files.map(({ full }) => statSync(full).size)
    mustFit(
      config,
      bytes.reduce((sum, one) => sum + one, 0),
    )
    const found = await putBack(chain, order.identities, config)
    return await examine(config, { chain, found, order })
  } catch (error) {
    const sentence = sentenceOfFailure(error, order.files.at(-1)!.named)
    if (sentence === undefined) throw error
    complain(sentence)
    return 1
  } finally {
    release?.()
  }
}

type Order = {
  files: { named: string; full: string }[]
  identities: Uint8Array[]
  asJson: boolean
}

function readOrder(args: string[], workingFolder: string): Order {
  const { values, positionals } = readArguments(args, COMMANDS.restore.options)
  if (positionals.length === 0) throw new UsageError('Falta el respaldo que se debe restaurar.')
  if (!values.identity)
    throw new UsageError('Indique el archivo con la llave privada: --identity ARCHIVO.')
  const files = positionals.map((named) => ({ named, full: path.resolve(workingFolder, named) }))
  for (const { named, full } of files)
    orUsageError(unreadable(named), () => closeSync(openSync(full, 'r')))
  return {
    files,
    identities: identitiesIn(values.identity, workingFolder),
    asJson: values.json === true,
  }
}

/** Far more than keys and comments. */
const LONGEST_KEY_FILE = 65_536

/** The keys in a file as `age-keygen` writes it: one a line, and comments. @throws {UsageError} */
function identitiesIn(named: string, workingFolder: string): Uint8Array[] {
  const text = orUsageError(unreadable(named), () =>
    readFileSync(path.resolve(workingFolder, named), 'latin1').slice(0, LONGEST_KEY_FILE),
  )
  if (text.startsWith('age-encryption.org/') || text.startsWith('-----BEGIN AGE'))
    throw new UsageError(
      `${named} está cifrado con una contraseña. Descífrelo antes con “age -d -o llave.txt ${named}”.`,
    )
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  const keys = lines.map((line) => readIdentity(line))
  if (keys.length === 0 || keys.includes(undefined))
    throw new UsageError(`${named} no contiene una llave privada: AGE-SECRET-KEY-1….`)
  return keys.filter((key) => key !== undefined)
}

type Restored = { chain: readonly NamedBackup[]; found: PutBack; order: Order }

/** Records the restore and says what the place lacks. */
async function examine(config: Config, { chain, found, order }: Restored): Promise<number> {
  const { header, full, named } = chain.at(-1)!
  const { asJson, identities } = order
  if (asJson)
    sayJson({ code: 'restored', id: header.id, madeAt: toTimestamp(header.madeAt), ...found })
  else {
    say(
      `Se restauró ${named}, del ${moment(header.madeAt)}; archivos de documentos: ${found.files}.`,
    )
    say('Lo que se hizo después de ese momento no está en él.')
  }
  const { system, close } = await composed(config)
  try {
    await recordRestore(system, {
      ...{ id: header.id, madeAt: header.madeAt, since: header.since?.id ?? null },
      ...{ bytes: statSync(full).size, ...found },
      recipient: identities.map((one) => recipientText(recipientOf(one))).join(' '),
    })
    return await tellAll(examineData(system, await factsOf(config, system), true), asJson)
  } finally {
    await close()
  }
}
