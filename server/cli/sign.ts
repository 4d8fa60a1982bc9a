import path from 'node:path'
import { type AppendedFile, stageAppended } from '#server/adapters/appended-file.ts'
import { BecameShorter } from '#server/adapters/became-shorter.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { isOneFile, openFile } from '#server/adapters/file-source.ts'
import type { DigestedBeginning } from '#server/domain/bytes.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { addLongTerm } from './add-long-term.ts'
import { COMMANDS } from './commands.ts'
import { readKeyOrder, withKey } from './key-options.ts'
import { type LevelOrder, readLevelOrder } from './level-options.ts'
import { acceptedUnder, type OpenedKey, Refused, refuse } from './opened-key.ts'
import { complain, say } from './output.ts'
import { orSayUnwritable, removeWhenInterrupted } from './output-file.ts'
import { refusalOfSigned, type SignedIncrement, signFile } from './sign-file.ts'
import { orUsageError, readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica sign`: appends a PAdES signature of the requested level and writes the result. Our own verifier has
 * passed exactly the file that gets the name SALIDA; after any failure no file is left there.
 *
 * @returns 0 when the file was signed, 1 when it was refused, with the reason on standard error
 * @throws {UsageError}
 */
export async function sign(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const { input, output, trust, key, order } = readOrder(args)
  const place = (file: string) => path.resolve(workingFolder, file)
  if (place(input) === place(output) || isOneFile(place(input), place(output)))
    throw new UsageError('SALIDA debe ser otro archivo que ENTRADA.')
  const policy = { ...trustFrom(trust, workingFolder), at: now }
  const source = openOrSay(place(input), input)
  try {
    const outcome = await withKey(key, { place, accept: acceptedUnder(policy) }, async (opened) => {
      const staged = stageAppended(place(input), place(output))
      const stopWatching = removeWhenInterrupted(staged.temporary)
      try {
        const digested = await orSayUnwritable(output, () => staged.copied())
        if (digested.length !== source.length) return refuse(changed(input))
        const signed = await signFile({ ...source, digested }, opened, policy, order.authority)
        if (signed.kind === 'refused') return signed
        const refusal = await orSayUnwritable(output, () =>
          writeSigned(staged, { digested, outcome: signed, opened, policy, order }),
        )
        return refusal ? refuse(refusal) : opened.certificate
      } finally {
        await staged.discard()
        stopWatching()
      }
    })
    if ('sentence' in outcome) return refused(outcome.sentence)
    const { rfc } = satProfileOf(outcome)
    say(`${output}: firmado por ${outcome.name}${rfc ? ` (RFC ${rfc})` : ''}.`)
    return 0
  } catch (error) {
    if (!(error instanceof BecameShorter)) throw error
    return refused(changed(input))
  } finally {
    source.close()
  }
}

const changed = (input: string) => `${input} cambió mientras se firmaba.`

/** @throws {UsageError} */
function readOrder(args: string[]) {
  const { values, positionals } = readArguments(args, COMMANDS.sign.options)
  const [input, ...more] = positionals
  const { output, trust } = values
  if (!input || !output || more.length > 0)
    throw new UsageError('Faltan datos para firmar, o sobran.')
  return { output, trust, input, key: readKeyOrder(values), order: readLevelOrder(values) }
}

function openOrSay(full: string, file: string) {
  return orUsageError(
    () => `No se puede leer ${file}.`,
    () => openFile(full),
  )
}

function refused(sentence: string): 1 {
  complain(sentence)
  return 1
}

/** @returns why the file was rejected; undefined if it was written */
async function writeSigned(
  staged: AppendedFile,
  signed: {
    digested: DigestedBeginning
    outcome: SignedIncrement
    opened: OpenedKey
    policy: VerificationPolicy
    order: LevelOrder
  },
): Promise<string | undefined> {
  try {
    await staged.append(signed.outcome.increment)
    const written = openFile(staged.temporary)
    try {
      const { digested, outcome, opened, policy } = signed
      const refusal = refusalOfSigned({ ...written, digested }, outcome, opened, policy)
      if (refusal) return refusal
    } finally {
      written.close()
    }
    const { fieldName } = signed.outcome
    const missing = await addLongTerm(staged, signed.order, fieldName, signed.policy)
    if (missing) return missing
    await staged.keep()
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}
