import { readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import { type Config, ConfigurationError, type TlsFiles } from './config.ts'

const LIMITS = { requestTimeout: 600_000, headersTimeout: 30_000 }
/** How often to look for a renewed certificate; renewal is days before expiry. */
const RENEWAL_MS = 60_000

/**
 * Listens on the configured address, over https if there are TLS files. Reloads a certificate that is renewed
 * in place.
 *
 * `localhost` listens on both loopback addresses, because browsers try either.
 *
 * @throws {ConfigurationError} when the address or the files cannot be used
 */
export async function listen(app: RequestListener, config: Config): Promise<Server[]> {
  const { host, port, tls } = config
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const servers: Server[] = []
  for (const [index, address] of addresses.entries()) {
    const server = tls ? httpsServer(app, tls) : createServer(LIMITS, app)
    try {
      await new Promise<void>((resolve, reject) =>
        server.once('error', reject).listen(port, address, resolve),
      )
      servers.push(server)
    } catch (error) {
      // Without IPv6 the first address still works.
      if (index === 0) throw unusable(error, host, port)
    }
  }
  return servers
}

function httpsServer(app: RequestListener, files: TlsFiles): https.Server {
  let server: https.Server
  try {
    server = https.createServer({ ...LIMITS, ...readPair(files), minVersion: 'TLSv1.2' }, app)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(
      `No se pudo usar ${files.certificate} con ${files.key}: deben ser legibles, en PEM, y la clave debe ser la del certificado (${why}).`,
    )
  }
  let age = ageOf(files)
  const renewal = setInterval(() => {
    const now = ageOf(files)
    if (now === undefined || now === age) return
    try {
      server.setSecureContext({ ...readPair(files), minVersion: 'TLSv1.2' })
      age = now
    } catch {
      // The file is half written: keep the old certificate until the next check.
    }
  }, RENEWAL_MS).unref()
  server.once('close', () => clearInterval(renewal))
  return server
}

const readPair = ({ certificate, key }: TlsFiles) => ({
  cert: readFileSync(certificate),
  key: readFileSync(key),
})

function ageOf({ certificate, key }: TlsFiles): string | undefined {
  try {
    return `${statSync(certificate).mtimeMs} ${statSync(key).mtimeMs}`
  } catch {
    return undefined
  }
}

function unusable(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ConfigurationError(`El puerto ${port} está ocupado. Elija otro: PORT=${port + 1}`)
  if (code === 'EACCES')
    return new ConfigurationError(
      `Este usuario no puede abrir el puerto ${port}. Elija uno mayor que 1023, o dele el permiso al servicio.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigurationError(`HOST=${host} no es una dirección de esta máquina.`)
  return error
}
