import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'

const Port = z.coerce.number().int().min(0).max(65_535)

/** An address, or a network as `10.0.0.0/8`. */
function isAddress(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

const Environment = z.object({
  PORT: Port.default(3000),
  HOST: z.string().default('localhost'),
  PUBLIC_ORIGIN: z.url().optional(),
  DATA_DIR: z.string().default('data'),
  SECRETS_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//)
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((proxy) => proxy !== ''))
    .refine((proxies) => proxies.every(isAddress), 'son direcciones IP o redes, como 10.0.0.0/8'),
  INIT_CWD: z.string().optional(),
})

/** Everything that the environment decides, read once at the start. */
export type Config = Readonly<{
  mode: 'demo' | 'start'
  /** `localhost` listens on both loopback addresses and nowhere else. */
  host: string
  port: number
  publicOrigin: string
  /** Whose word about the address of a visitor counts (`X-Forwarded-For`): the proxies in front of us. */
  trustedProxies: readonly string[]
  dataFolder: string
  secretsFolder: string
  /** A PostgreSQL address; absent for the embedded SQLite file. */
  databaseUrl?: string
  logLevel: string
  /** Where the person stands who gave a file name. */
  workingFolder: string
}>

/**
 * Reads the environment.
 *
 * @throws {ConfigurationError} with a sentence that says what to change
 */
export function readConfig(
  mode: Config['mode'],
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) throw new ConfigurationError(z.prettifyError(parsed.error))
  const env = parsed.data
  const workingFolder = env.INIT_CWD ?? process.cwd()
  const dataFolder = path.resolve(workingFolder, env.DATA_DIR)
  return Object.freeze({
    mode,
    host: env.HOST,
    port: env.PORT,
    publicOrigin: safeOrigin(env.PUBLIC_ORIGIN ?? `http://localhost:${env.PORT}`),
    trustedProxies: env.TRUSTED_PROXIES,
    dataFolder,
    secretsFolder: env.SECRETS_DIR
      ? path.resolve(workingFolder, env.SECRETS_DIR)
      : path.join(dataFolder, 'secrets'),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    logLevel: env.LOG_LEVEL,
    workingFolder,
  })
}

/** Cookies, links and the browser's key handling are safe only over https, or on this very machine. */
function safeOrigin(value: string): string {
  const { protocol, hostname, origin } = new URL(value)
  if (protocol !== 'https:' && hostname !== 'localhost')
    throw new ConfigurationError(
      `PUBLIC_ORIGIN=${value} no es seguro: use una dirección https:// (o http://localhost para probar).`,
    )
  return origin
}

/** What the operator must change before the process can start; `message` is for people, es-MX. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** Where the person stands who gave a file name: npm changes the folder before it runs a script. */
export const workingFolder = () => process.env.INIT_CWD || process.cwd()

/** A secret that the caller of the command line keeps in a variable of the environment; empty when unset. */
export const secretFromEnvironment = (variable: string) => process.env[variable] ?? ''
