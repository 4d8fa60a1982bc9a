import path from 'node:path'
import { type AppendedFile, stageAppended } from '#server/adapters/appended-file.ts'
import { openFile } from '#server/adapters/file-source.ts'
import { readSmallFile } from '#server/adapters/small-file.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { secretFromEnvironment } from '../config.ts'
import { type OpenedEfirma, openEfirma } from './open-efirma.ts'
import { refusalOfSigned, type SignedIncrement, signFile } from './sign-file.ts'
import { orUsageError, readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica sign`: appends a PAdES B-B signature and writes the result. The very file that takes the name of
 * SALIDA has passed our own verifier; whatever else happens, nothing is left there.
 *
 * @returns 0 when the file was signed, 1 when it was refused, with the reason on standard error
 * @throws {UsageError}
 */
export async function sign(
  args: string[],
  workingFolder: string,
  now = Date.now() as Instant,
): Promise<number> {
  const { input, output, password, trust, ...order } = readOrder(args)
  const place = (file: string) => path.resolve(workingFolder, file)
  if (place(input) === place(output))
    throw new UsageError('SALIDA debe ser otro archivo que ENTRADA.')
  const read = (file: string) =>
    orUsageError(
      () => `No se puede leer ${file}.`,
      () => readSmallFile(place(file)),
    )
  const policy = { ...trustFrom(trust, workingFolder), at: now }
  const files = { certificate: read(order.cer), key: read(order.key), password }
  const source = openOrSay(place(input), input)
  try {
    const efirma = await openEfirma(files, policy)
    if (efirma.kind === 'refused') return refused(efirma.sentence)
    const staged = stageAppended(place(input), place(output))
    try {
      const outcome = await signFile(source, efirma, policy)
      if (outcome.kind === 'refused') return refused(outcome.sentence)
      const refusal = await writeSigned(staged, output, { outcome, efirma, policy })
      if (refusal) return refused(refusal)
    } finally {
      await staged.discard()
    }
    const { name, rfc } = efirma.certificate
    console.log(`${output}: firmado por ${name}${rfc ? ` (RFC ${rfc})` : ''}.`)
    return 0
  } finally {
    source.close()
  }
}

/** @throws {UsageError} */
function readOrder(args: string[]) {
  const { values, positionals } = readArguments(args, {
    cer: { type: 'string' },
    key: { type: 'string' },
    'key-password-env': { type: 'string' },
    trust: { type: 'string' },
    output: { type: 'string', short: 'o' },
  })
  const [input, ...more] = positionals
  const { cer, key, output, trust, 'key-password-env': variable } = values
  if (!cer || !key || !variable || !input || !output || more.length > 0)
    throw new UsageError('Faltan datos para firmar, o sobran.')
  const password = secretFromEnvironment(variable)
  if (!password) throw new UsageError(`La variable ${variable} no está definida o está vacía.`)
  return { cer, key, output, trust, input, password }
}

function openOrSay(full: string, file: string) {
  return orUsageError(
    () => `No se puede leer ${file}.`,
    () => openFile(full),
  )
}

function refused(sentence: string): 1 {
  console.error(sentence)
  return 1
}

/** @returns why the file must not be handed out; undefined when it stands under its name */
async function writeSigned(
  staged: AppendedFile,
  output: string,
  signed: { outcome: SignedIncrement; efirma: OpenedEfirma; policy: VerificationPolicy },
): Promise<string | undefined> {
  try {
    await staged.append(signed.outcome.increment)
    const written = openFile(staged.temporary)
    try {
      const refusal = refusalOfSigned(written, signed.outcome, signed.efirma, signed.policy)
      if (refusal) return refusal
    } finally {
      written.close()
    }
    await staged.keep()
    return undefined
  } catch (error) {
    // ENOENT, EISDIR, EACCES, ENOSPC …: what the system says about the place.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UsageError(`No se puede escribir ${output}.`, { cause: error })
  }
}
