import path from 'node:path'
import { z } from 'zod'

const Port = z.coerce.number().int().min(0).max(65_535)

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
  INIT_CWD: z.string().optional(),
})

/** Everything that the environment decides, read once at the start. */
export type Config = Readonly<{
  mode: 'demo' | 'start'
  /** `localhost` listens on both loopback addresses and nowhere else. */
  host: string
  port: number
  publicOrigin: string
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
