import { isIP } from 'node:net'
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

/** `s3://bucket/prefix`: no user, port or query; those who may read and write are named by the variables of AWS. */
const S3Url = z.string().transform((text, context) => {
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w!.*'()/-]*)?$/.exec(text) ?? []
  const prefix = path.replace(/^\/+|\/+$/g, '')
  if (bucket) return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
  context.addIssue('no place in S3')
  return z.NEVER
})

/** `Notaría 12 <rubrica@notaria.mx>`, or only the address. */
const Sender = z.string().transform((text, context) => {
  const [, name = '', bracketed] = /^(?:([^<>\p{Cc}]*)<)?([^<>\s]+)>?$/u.exec(text.trim()) ?? []
  const address = z.email().safeParse(bracketed)
  if (address.success) return { name: name.trim().replace(/^"|"$/g, ''), address: address.data }
  context.addIssue('no sender')
  return z.NEVER
})

/** The variables as they are read, before the configuration puts them together. */
export const Environment = z.object({
  PORT: Port.default(3000),
  HOST: z.string().default('localhost'),
  PUBLIC_ORIGIN: z.url().optional(),
  DATA_DIR: z.string().optional(),
  SECRETS_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//)
    .optional(),
  BLOBS_URL: S3Url.optional(),
  BLOBS_ALSO: z.union([z.literal('folder'), S3Url]).optional(),
  BLOBS_CACHE: z.coerce.number().int().min(0).max(10_000_000).default(1024),
  BLOBS_PATH_STYLE: z.enum(['yes', 'no']).optional(),
  AWS_ENDPOINT_URL_S3: z.url({ protocol: /^https?$/ }).optional(),
  AWS_ENDPOINT_URL: z.url({ protocol: /^https?$/ }).optional(),
  BACKUP_DAYS: z.coerce.number().int().min(0).max(365).default(7),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  METRICS_PORT: Port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  TRUST_PROXY: Networks,
  PROVIDER_NETWORKS: Networks,
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: Sender.optional(),
  PKCS11_MODULE: z.string().optional(),
  DEMO_OFFICE: z.enum(['year', 'small']).optional(),
  INIT_CWD: z.string().optional(),
})
export type Environment = z.infer<typeof Environment>

/** Every environment variable that is read. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape)

/** The rule of each variable. Never repeats a value: a database URL contains a password. */
const RULES: Partial<Record<keyof Environment, string>> = {
  PORT: 'PORT debe ser un número de puerto, de 0 a 65535, como 3000.',
  PUBLIC_ORIGIN:
    'PUBLIC_ORIGIN debe ser la dirección completa del sitio, con https://, como https://rubrica.notaria.mx.',
  DATABASE_URL:
    'DATABASE_URL debe ser una dirección de PostgreSQL, como postgres://usuario:contraseña@servidor/base; sin ella se usa el archivo SQLite de DATA_DIR.',
  BLOBS_URL:
    'BLOBS_URL debe ser un lugar de S3, como s3://bucket/prefijo; la dirección del servidor, la región y las credenciales van en las variables AWS_*. Sin BLOBS_URL los archivos están en DATA_DIR.',
  BLOBS_ALSO:
    'BLOBS_ALSO debe ser el otro lugar de los archivos mientras se mudan: folder, la carpeta de DATA_DIR, o s3://bucket/prefijo.',
  BLOBS_CACHE:
    'BLOBS_CACHE debe ser un número de megabytes, de 0 a 10000000: cuánto espacio ocupan las copias locales de los archivos de BLOBS_URL.',
  BLOBS_PATH_STYLE:
    'BLOBS_PATH_STYLE debe ser yes, con el bucket en la ruta de la dirección, o no, con el bucket en el nombre del servidor.',
  AWS_ENDPOINT_URL_S3:
    'AWS_ENDPOINT_URL_S3 debe ser la dirección http o https de un servidor de S3, como https://s3.notaria.mx.',
  AWS_ENDPOINT_URL:
    'AWS_ENDPOINT_URL debe ser la dirección http o https de un servidor de S3, como https://s3.notaria.mx.',
  SMTP_URL:
    'SMTP_URL debe ser la dirección de un servidor de correo, como smtp://usuario:contraseña@correo.notaria.mx:587 o smtps://usuario:contraseña@correo.notaria.mx; los signos especiales de la contraseña se escriben con %, como %40 en lugar de @.',
  MAIL_FROM:
    'MAIL_FROM debe ser el remitente de los correos, como rubrica@notaria.mx o Notaría 12 <rubrica@notaria.mx>, sin comillas.',
  BACKUP_DAYS:
    'BACKUP_DAYS debe ser un número de días, de 0 a 365: sin respaldo durante ese tiempo se avisa a los administradores; con 0 no se avisa.',
  METRICS_PORT:
    'METRICS_PORT debe ser un número de puerto, de 0 a 65535, distinto de PORT; sin él no se publican métricas.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'OTEL_EXPORTER_OTLP_ENDPOINT debe ser la dirección http o https de un colector de OpenTelemetry, como http://127.0.0.1:4318; sin ella no se envían trazas.',
  DRAIN_SECONDS:
    'DRAIN_SECONDS debe ser un número de segundos, de 0 a 300: cuánto se siguen atendiendo solicitudes después de avisar al proxy que el proceso termina.',
  LOG_LEVEL: 'LOG_LEVEL debe ser trace, debug, info, warn, error o silent.',
  DEMO_OFFICE:
    'DEMO_OFFICE debe ser year, una notaría de demostración con un año de trabajo, o small, con pocos documentos.',
  TRUST_PROXY:
    'TRUST_PROXY debe ser una lista de direcciones IP o redes de sus proxies, como 127.0.0.1 o 10.0.0.0/8.',
  PROVIDER_NETWORKS:
    'PROVIDER_NETWORKS debe ser una lista de direcciones IP o redes privadas en que hay proveedores, como 10.1.2.3 o 10.1.0.0/16.',
}

/** What the operator must change, a line for each variable that is wrong; es-MX. */
export function sentencesAbout({ issues }: z.ZodError): string {
  const names = [...new Set(issues.map(({ path: [name] }) => String(name)))]
  const rules: Partial<Record<string, string>> = RULES
  return names.map((name) => rules[name] ?? `${name} no tiene un valor válido.`).join('\n')
}
