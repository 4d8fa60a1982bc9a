import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readCertificates } from '#server/adapters/trust-store.ts'
import { type Config, ConfigurationError, readConfig } from '#server/config.ts'
import { KNOWN_CONSTANCIA_ISSUERS } from '#server/domain/timestamp/constancia-issuer.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import {
  givesConstancias,
  knownPlacesOf,
  knownResponders,
} from '#server/domain/trust/mexican-authorities.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

export const USAGE = `Uso:
  rubrica sign --cer ARCHIVO --key ARCHIVO --key-password-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA
  rubrica sign --p12 ARCHIVO --p12-password-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA
  rubrica sign --pkcs11 MÓDULO [--token NOMBRE] --pin-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA
         … con sellos de tiempo: [--tsa URL [--tsa-user USUARIO --tsa-password-env VARIABLE]] [--level B-B|B-T|B-LT|B-LTA]
  rubrica agent --server URL --token-env VARIABLE --pkcs11 MÓDULO [--token NOMBRE] --pin-env VARIABLE [--once]
  rubrica verify [--json] [--trust CARPETA] [--at FECHA] [--constancia ARCHIVO] [--offline] ARCHIVO…
  rubrica verify-intent [--json] [--origin DIRECCIÓN] [ARCHIVO…]
  rubrica audit export -o ARCHIVO
  rubrica audit verify [--key CLAVE] [--checkpoint ARCHIVO]… [--json] ARCHIVO
  rubrica audit verify-proof --key CLAVE [--events ARCHIVO] [--json] ARCHIVO
  rubrica rotate-keys [--drop-old]
  rubrica trust list
  rubrica trust import [--demo] ARCHIVO…
  rubrica trust accept HUELLA --reason TEXTO [--revocation required|when-available] [--ocsp URL]… [--demo]
  rubrica trust remove HUELLA --reason TEXTO

SALIDA se reemplaza si existe. verify pregunta a las autoridades si revocaron los certificados; con --offline no.
verify-intent comprueba otra vez la evidencia de presencia: la de los archivos que se bajan de un documento o, sin
archivos, toda la de la base de datos contra la bitácora. agent firma con un token de este equipo lo que espera la firma
de quien creó el token de acceso en Mi Perfil. audit export escribe toda la bitácora con sus puntos de control firmados;
audit verify comprueba ese archivo sin conexión y dice cuál es el primer evento cambiado, agregado, quitado o movido;
audit verify-proof, que un evento consta en la bitácora: la prueba está en la página pública y en el paquete de evidencia.
rotate-keys cifra de nuevo los secretos de la base de datos; con --drop-old borra las llaves anteriores que ya no cifran
nada. trust lleva las autoridades de confianza: import lee los archivos que ellas publican (.zip, .cer, .crt, .pem, .p7b)
y reconoce las que el programa conoce por su huella SHA-256.`

/** How one command is given: so short that the reason above it stays in sight. The whole for a name that is none. */
export function usageOf(command: string): string {
  const [head = '', ...lines] = USAGE.slice(0, USAGE.indexOf('\n\n')).split('\n')
  let isWanted = false
  const wanted = lines.filter((line) => {
    // What goes on with the line above stands under it.
    if (/^ {2}rubrica /.test(line)) isWanted = line.split(' ')[3] === command
    return isWanted
  })
  if (wanted.length === 0) return USAGE
  return [head, ...wanted, '  rubrica help'].join('\n')
}

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

export type TrustedByCaller = Pick<
  VerificationPolicy,
  'anchors' | 'candidates' | 'timestampAnchors' | 'constancias' | 'responders'
>

/** The authorities that the caller names with --trust; nobody without it. @throws {UsageError} */
export function trustFrom(place: string | undefined, workingFolder: string): TrustedByCaller {
  if (place === undefined) return { anchors: [], candidates: [] }
  const certificates = orUsageError(
    (error) => (error instanceof Error ? error.message : String(error)),
    () => readCertificates(path.resolve(workingFolder, place)),
  )
  const trust = anchorsFromCertificates(certificates, {
    label: 'Indicada con --trust',
    forTesting: false,
    revocation: 'when-available',
    // Whoever names an authority takes its word for where it is asked, too.
    believesAddresses: true,
  })
  if (trust.anchors.length === 0)
    throw new UsageError(`En ${place} no hay ninguna autoridad (.cer, .crt, .der, .pem).`)
  const anchors = trust.anchors.map((anchor) => ({ ...anchor, ...knownPlacesOf(anchor) }))
  const ofConstancias = anchors.filter(givesConstancias)
  return {
    ...trust,
    anchors,
    timestampAnchors: ofConstancias,
    responders: knownResponders(trust.candidates),
    constancias: { anchors: ofConstancias, issuers: KNOWN_CONSTANCIA_ISSUERS },
  }
}

/** @throws {UsageError} in place of whatever `read` throws */
export function orUsageError<T>(sentence: (error: unknown) => string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(sentence(error), { cause: error })
  }
}

/** The configuration of the server on whose data a command works. @throws {UsageError} */
export function configOrUsageError(): Config {
  try {
    return readConfig('start')
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
