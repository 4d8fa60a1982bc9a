import path from 'node:path'
import { writeAppended } from '#server/adapters/appended-file.ts'
import { openFile } from '#server/adapters/file-source.ts'
import { readSmallFile } from '#server/adapters/small-file.ts'
import type { Instant } from '#server/domain/time.ts'
import { secretFromEnvironment } from '../config.ts'
import { signFile } from './sign-file.ts'
import { readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica sign`: appends a PAdES B-B signature and writes the result, which our own verifier has passed.
 *
 * @returns 0 when the file was signed, 1 when it was refused, with the reason on standard error
 * @throws {UsageError}
 */
export async function sign(
  args: string[],
  workingFolder: string,
  now = Date.now() as Instant,
): Promise<number> {
  const { values, positionals } = readArguments(args, {
    cer: { type: 'string' },
    key: { type: 'string' },
    'key-password-env': { type: 'string' },
    trust: { type: 'string' },
    output: { type: 'string', short: 'o' },
  })
  const place = (file: string) => path.resolve(workingFolder, file)
  const [input, ...more] = positionals
  const { cer, key, output } = values
  const variable = values['key-password-env']
  if (!cer || !key || !variable || !input || !output || more.length > 0)
    throw new UsageError('Faltan datos para firmar.')
  if (place(input) === place(output))
    throw new UsageError('SALIDA debe ser otro archivo que ENTRADA.')

  const source = openOrRefuse(place(input), input)
  try {
    const outcome = await signFile(source, {
      certificateFile: readOrRefuse(place(cer), cer),
      keyFile: readOrRefuse(place(key), key),
      password: secretFromEnvironment(variable),
      trust: trustFrom(values.trust, workingFolder),
      now,
    })
    if (outcome.kind === 'refused') {
      console.error(outcome.sentence)
      return 1
    }
    await writeAppended(place(input), outcome.increment, place(output))
    console.log(`${output}: firmado por ${outcome.signer.name} (RFC ${outcome.signer.rfc}).`)
    return 0
  } finally {
    source.close()
  }
}

function openOrRefuse(full: string, file: string) {
  try {
    return openFile(full)
  } catch (error) {
    throw new UsageError(`No se puede leer ${file}.`, { cause: error })
  }
}

function readOrRefuse(full: string, file: string) {
  try {
    return readSmallFile(full)
  } catch (error) {
    throw new UsageError(`No se puede leer ${file}.`, { cause: error })
  }
}
