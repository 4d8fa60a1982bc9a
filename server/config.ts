import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'

const Port = z.coerce.number().int().min(0).max(65_535)

/** An IP address, or a network such as `10.0.0.0/8`. */
function isAddress(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

/** Addresses and networks, between commas or spaces. */
const Networks = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((network) => network !== ''))
  .refine((networks) => networks.every(isAddress))

/** `smtp://user:password@host:587`: no path, and both user and password or neither. */
const SmtpUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWhole =
    url &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    (url.username === '') === (url.password === '') &&
    isDecodable(url.username + url.password)
  if (isWhole) return url
  context.addIssue('no address of a server for mail')
  return z.NEVER
})

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** `Notaría 12 <rubrica@notaria.mx>`, or only the address. */
const Sender = z.string().transform((text, context) => {
  const [, name = '', bracketed] = /^(?:([^<>\p{Cc}]*)<)?([^<>\s]+)>?$/u.exec(text.trim()) ?? []
  const address = z.email().safeParse(bracketed)
  if (address.success) return { name: name.trim().replace(/^"|"$/g, ''), address: address.data }
  context.addIssue('no sender')
  return z.NEVER
})

const Environment = z.object({
  PORT: Port.default(3000),
  HOST: z.string().default('localhost'),
  PUBLIC_ORIGIN: z.url().optional(),
  DATA_DIR: z.string().optional(),
  SECRETS_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//)
    .optional(),
  BACKUP_DAYS: z.coerce.number().int().min(0).max(365).default(7),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TRUST_PROXY: Networks,
  PROVIDER_NETWORKS: Networks,
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: Sender.optional(),
  PKCS11_MODULE: z.string().optional(),
  INIT_CWD: z.string().optional(),
})
type Environment = z.infer<typeof Environment>

/** Every environment variable that is read. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape)

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

/** The demo office, real use, or the demo office served from the sources for developers. */
export type Mode = 'demo' | 'start' | 'dev'

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
  /** If absent, mail stays in the outbox, where administrators can read it. */
  mail?: MailSettings
  /** After how many days without a backup the administrators are alerted; 0 for never. */
  backupDays: number
  logLevel: string
  /** The vendor's PKCS#11 module for tokens plugged into this machine; absent if there is none. */
  pkcs11Module?: string
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
    ...(mail && { mail }),
    backupDays: env.BACKUP_DAYS,
    logLevel: env.LOG_LEVEL,
    ...(env.PKCS11_MODULE && {
      pkcs11Module: path.resolve(workingFolder, env.PKCS11_MODULE),
    }),
    workingFolder,
  })
  mustBeSafe(config, environment)
  return config
}

/** The rule of each variable. Never repeats a value: a database URL contains a password. */
const RULES: Partial<Record<keyof Environment, string>> = {
  PORT: 'PORT debe ser un número de puerto, de 0 a 65535, como 3000.',
  PUBLIC_ORIGIN:
    'PUBLIC_ORIGIN debe ser la dirección completa del sitio, con https://, como https://rubrica.notaria.mx.',
  DATABASE_URL:
    'DATABASE_URL debe ser una dirección de PostgreSQL, como postgres://usuario:contraseña@servidor/base; sin ella se usa el archivo SQLite de DATA_DIR.',
  SMTP_URL:
    'SMTP_URL debe ser la dirección de un servidor de correo, como smtp://usuario:contraseña@correo.notaria.mx:587 o smtps://usuario:contraseña@correo.notaria.mx; los signos especiales de la contraseña se escriben con %, como %40 en lugar de @.',
  MAIL_FROM:
    'MAIL_FROM debe ser el remitente de los correos, como rubrica@notaria.mx o Notaría 12 <rubrica@notaria.mx>, sin comillas.',
  BACKUP_DAYS:
    'BACKUP_DAYS debe ser un número de días, de 0 a 365: sin respaldo durante ese tiempo se avisa a los administradores; con 0 no se avisa.',
  LOG_LEVEL: 'LOG_LEVEL debe ser trace, debug, info, warn, error o silent.',
  TRUST_PROXY:
    'TRUST_PROXY debe ser una lista de direcciones IP o redes de sus proxies, como 127.0.0.1 o 10.0.0.0/8.',
  PROVIDER_NETWORKS:
    'PROVIDER_NETWORKS debe ser una lista de direcciones IP o redes privadas en que hay proveedores, como 10.1.2.3 o 10.1.0.0/16.',
}

function sentencesAbout({ issues }: z.ZodError): string {
  const names = [...new Set(issues.map(({ path: [name] }) => String(name)))]
  const rules: Partial<Record<string, string>> = RULES
  return names.map((name) => rules[name] ?? `${name} no tiene un valor válido.`).join('\n')
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
