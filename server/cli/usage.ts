import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readCertificates } from '#server/adapters/trust-store.ts'
import { anchorsFromCertificates } from '#server/domain/certificates/anchors.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

export const USAGE = `Uso:
  rubrica sign --cer ARCHIVO --key ARCHIVO --key-password-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA
  rubrica verify [--json] [--trust CARPETA] [--at FECHA] ARCHIVO…`

/** The command was not given as it must be; `message` is for people, es-MX. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} for options that the command does not have */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: T,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError('Las opciones no son las que esta orden espera.', { cause: error })
  }
}

/** The authorities that the caller names with --trust; nobody without it. */
export function trustFrom(
  place: string | undefined,
  workingFolder: string,
): Pick<VerificationPolicy, 'anchors' | 'candidates'> {
  if (place === undefined) return { anchors: [], candidates: [] }
  const certificates = readTrust(path.resolve(workingFolder, place))
  if (certificates.length === 0)
    throw new UsageError(`En ${place} no hay ningún certificado (.cer, .crt, .pem).`)
  return anchorsFromCertificates(certificates, {
    label: 'Indicada con --trust',
    forTesting: false,
    revocation: 'when-available',
  })
}

function readTrust(place: string) {
  try {
    return readCertificates(place)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
