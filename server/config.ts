import { isIP } from 'node:net'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Environment, sentencesAbout } from './environment.ts'

/** Certificate chain and private key, as PEM files. */
export type TlsFiles = Readonly<{ certificate: string; key: string }>

/** The mail server, and the sender. */
type MailSettings = Readonly<{
  host: string
  port: number
  /** `tls` from the first byte; `starttls` required before anything is sent; `none` only on this machine. */
  security: 'tls' | 'starttls' | 'none'
  credentials?: Readonly<{ user: string; password: string }>
  from: Readonly<{ name: string; address: string }>
}>

/** A place in S3; the variables of AWS say how it is reached. */
export type BucketPlace = Readonly<{ bucket: string; prefix: string; isPathStyle: boolean }>

/** Where the stored files lie: in `DATA_DIR/blobs`, or in S3. */
export type FilesPlace = 'folder' | BucketPlace

/** The demo office, real use, or the demo office served from the sources for developers. */
export type Mode = 'demo' | 'start' | 'dev'

/** What the office of a demo is made with: a year of work, or a few samples only. */
export type DemoOffice = 'year' | 'small'

/** Developers and tests begin with little. */
const DEMO_OFFICES: Record<Mode, DemoOffice> = { demo: 'year', dev: 'small', start: 'small' }

/** `dev` has its own folder, so that it never changes the data of the demo. */
const DATA_FOLDERS: Record<Mode, string> = { demo: 'data', start: 'data', dev: 'data/dev' }

/** The configuration, read from the environment once at the start. */
export type Config = Readonly<{
  mode: Mode
  /** `localhost` listens on both loopback addresses and nowhere else. */
  host: string
  port: number
  publicOrigin: string
  /** Present if this process terminates TLS; else a proxy does, or the origin is on this machine. */
  tls?: TlsFiles
  /**
   * Trusted reverse proxies. Only their headers count for the client's address (`X-Forwarded-For`), the
   * requested host, and the scheme.
   */
  trustedProxies: readonly string[]
  /** Private networks in which timestamp authorities, constancia providers and revocation services may be. */
  providerNetworks: readonly string[]
  dataFolder: string
  secretsFolder: string
  /** A PostgreSQL address; absent for the embedded SQLite file. */
  databaseUrl?: string
  files: Readonly<{
    place: FilesPlace
    /** Where else they may lie, while they move; read and never written. */
    also?: FilesPlace
    /** Of the local copies of files in S3, in bytes. */
    cache: number
  }>
  /** If absent, mail stays in the outbox, where administrators can read it. */
  mail?: MailSettings
  /** After how many days without a backup the administrators are alerted; 0 for never. */
  backupDays: number
  logLevel: string
  /** Where `/metrics` is served; absent if it is not. */
  metrics?: Readonly<{ host: string; port: number }>
  /** Whether traces are sent: the library reads the variables of OpenTelemetry itself. */
  isTraced: boolean
  /** How long requests are served after `/readyz` says that this process ends. */
  drainSeconds: number
  /** The vendor's PKCS#11 module for tokens plugged into this machine; absent if there is none. */
  pkcs11Module?: string
  /** Of a new demo. */
  demoOffice: DemoOffice
  /** The current folder of the user, to resolve file names. */
  workingFolder: string
}>

/**
 * Reads the environment.
 *
 * @throws {ConfigurationError} with a sentence about what to change
 */
export function readConfig(mode: Mode, environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) throw new ConfigurationError(sentencesAbout(parsed.error))
  const env = parsed.data
  const workingFolder = env.INIT_CWD ?? process.cwd()
  const dataFolder = path.resolve(workingFolder, env.DATA_DIR ?? DATA_FOLDERS[mode])
  const tls = tlsFiles(env, workingFolder)
  const mail = mailSettings(env)
  const config = Object.freeze({
    mode,
    host: env.HOST,
    port: env.PORT,
    publicOrigin: originOf(
      env.PUBLIC_ORIGIN ?? `${tls ? 'https' : 'http'}://localhost:${env.PORT}`,
    ),
    ...(tls && { tls }),
    trustedProxies: env.TRUST_PROXY,
    providerNetworks: env.PROVIDER_NETWORKS,
    dataFolder,
    secretsFolder: env.SECRETS_DIR
      ? path.resolve(workingFolder, env.SECRETS_DIR)
      : path.join(dataFolder, 'secrets'),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    files: filesSettings(env),
    ...(mail && { mail }),
    backupDays: env.BACKUP_DAYS,
    // A line for each request: on the terminal of a demo it would hide what the demo says.
    logLevel: env.LOG_LEVEL ?? (mode === 'start' ? 'info' : 'warn'),
    ...(env.METRICS_PORT !== undefined && {
      metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    }),
    isTraced: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    drainSeconds: env.DRAIN_SECONDS,
    ...(env.PKCS11_MODULE && {
      pkcs11Module: path.resolve(workingFolder, env.PKCS11_MODULE),
    }),
    demoOffice: env.DEMO_OFFICE ?? DEMO_OFFICES[mode],
    workingFolder,
  })
  mustBeSafe(config, environment)
  return config
}

function tlsFiles(env: Environment, folder: string): TlsFiles | undefined {
  const { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key } = env
  if (!certificate && !key) return undefined
  if (!certificate || !key)
    throw new ConfigurationError(
      'TLS_CERT_FILE y TLS_KEY_FILE van juntos: el certificado con su cadena y su clave privada, en PEM.',
    )
  return { certificate: path.resolve(folder, certificate), key: path.resolve(folder, key) }
}

/** The place that the operator names as in `BLOBS_ALSO`. @throws {ConfigurationError} */
export function filesPlaceNamed(
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
): FilesPlace {
  const parsed = Environment.safeParse({ ...environment, BLOBS_ALSO: name })
  if (!parsed.success || parsed.data.BLOBS_ALSO === undefined)
    throw new ConfigurationError(
      `“${name}” no es un lugar de archivos: indique folder, la carpeta de DATA_DIR, o s3://bucket/prefijo.`,
    )
  return placeOf(parsed.data.BLOBS_ALSO, parsed.data)
}

/** Servers other than those of AWS seldom have a host name for each bucket. */
function placeOf(named: NonNullable<Environment['BLOBS_ALSO']>, env: Environment): FilesPlace {
  if (named === 'folder') return named
  const hasOwnServer = (env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL) !== undefined
  const isPathStyle = env.BLOBS_PATH_STYLE ? env.BLOBS_PATH_STYLE === 'yes' : hasOwnServer
  return { ...named, isPathStyle }
}

function filesSettings(env: Environment): Config['files'] {
  const { BLOBS_URL: url = 'folder', BLOBS_ALSO: also, BLOBS_CACHE: megabytes } = env
  const place = placeOf(url, env)
  const other = also && placeOf(also, env)
  if (other !== undefined && isDeepStrictEqual(place, other))
    throw new ConfigurationError(
      'BLOBS_ALSO es el mismo lugar que BLOBS_URL. Indique el otro, o quite la variable cuando los archivos ya se mudaron.',
    )
  return { place, ...(other && { also: other }), cache: megabytes * 1024 ** 2 }
}

function mailSettings({ SMTP_URL: url, MAIL_FROM: from }: Environment): MailSettings | undefined {
  if (!url && !from) return undefined
  if (!url || !from)
    throw new ConfigurationError(
      'SMTP_URL y MAIL_FROM van juntos: el servidor de correo y el remitente. Sin ambos, los correos esperan en Configuración.',
    )
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isEncrypted = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host,
    port: url.port === '' ? (isEncrypted ? 465 : 587) : Number(url.port),
    // A server on this machine often has a self-signed certificate, and no third party is on the wire.
    security: isEncrypted ? 'tls' : isLoopback(host) ? 'none' : 'starttls',
    ...(user !== '' && { credentials: { user, password: decodeURIComponent(url.password) } }),
    from,
  }
}

/** Normalizes an origin without a trailing slash; rejects paths and users, which would be ignored silently. */
function originOf(value: string): string {
  const url = new URL(value)
  if (url.href !== `${url.origin}/`)
    throw new ConfigurationError(
      `PUBLIC_ORIGIN=${value} debe ser solo la dirección del sitio, como https://rubrica.notaria.mx.`,
    )
  return url.origin
}

/* Cookies, links and WebAuthn are safe only over https or on this machine. */
function mustBeSafe(config: Config, environment: NodeJS.ProcessEnv): void {
  const { mode, publicOrigin, tls, trustedProxies, host } = config
  const { protocol, hostname } = new URL(publicOrigin)
  const isLocal =
    isLoopback(host) && hostname === 'localhost' && !tls && trustedProxies.length === 0
  const refusals: [boolean, string][] = [
    [
      mode === 'dev' && !isLocal,
      'npm run dev sirve el código fuente y solo atiende en esta misma máquina: quite HOST, PUBLIC_ORIGIN, TLS_CERT_FILE, TLS_KEY_FILE y TRUST_PROXY.',
    ],
    [
      protocol !== 'https:' && hostname !== 'localhost',
      `PUBLIC_ORIGIN=${publicOrigin} no es seguro: use una dirección https:// (o http://localhost para probar).`,
    ],
    [
      isIP(hostname.replace(/^\[|\]$/g, '')) !== 0,
      `PUBLIC_ORIGIN=${publicOrigin} debe tener un nombre, no una dirección IP: las llaves de seguridad solo funcionan con nombres.`,
    ],
    [
      protocol !== 'https:' && tls !== undefined,
      `PUBLIC_ORIGIN=${publicOrigin} debe empezar con https://, porque hay TLS_CERT_FILE y TLS_KEY_FILE.`,
    ],
    [
      protocol === 'https:' && !tls && trustedProxies.length === 0,
      `PUBLIC_ORIGIN=${publicOrigin} necesita TLS: indique TLS_CERT_FILE y TLS_KEY_FILE, o en TRUST_PROXY la dirección del proxy que lo pone (por ejemplo TRUST_PROXY=127.0.0.1).`,
    ],
    [
      !isLoopback(host) && !tls && trustedProxies.length === 0,
      `HOST=${host} abriría el servicio a la red sin cifrar: indique TLS_CERT_FILE y TLS_KEY_FILE, o en TRUST_PROXY la dirección del proxy que pone TLS.`,
    ],
    [
      trustedProxies.some((proxy) => /\/0+$/.test(proxy)),
      'TRUST_PROXY no puede ser toda la red: cualquiera diría de dónde viene. Indique la dirección del proxy.',
    ],
    [
      environment.TRUSTED_PROXIES !== undefined,
      'TRUSTED_PROXIES ahora se llama TRUST_PROXY. Cambie el nombre de la variable.',
    ],
  ]
  const refusal = refusals.find(([isRefused]) => isRefused)
  if (refusal) throw new ConfigurationError(refusal[1])
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** What the operator must change before the process can start; `message` is es-MX. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** The current folder of the user, to resolve file names: npm changes the folder before it runs a script. */
export const workingFolder = () => process.env.INIT_CWD || process.cwd()

/** The environment variables with these names, for a child process that must see no others. */
export const environmentOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A secret that the caller of the command line passes in an environment variable; empty if not set. */
export const secretFromEnvironment = (variable: string) => process.env[variable] ?? ''
