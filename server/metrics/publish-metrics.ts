import { createServer, type Server } from 'node:http'
import type { MeasuredState, PublishedMeter } from './meter.ts'

/**
 * Serves `/metrics` on a port of its own, which no stranger should reach.
 *
 * @param state asked for each time
 * @throws {Error} if the port cannot be used
 */
export async function publishMetrics(
  { read }: Pick<PublishedMeter, 'read'>,
  state: () => Promise<MeasuredState>,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET')
      return void response.writeHead(404).end()
    try {
      const { contentType, text } = await read(await state())
      response.writeHead(200, { 'Content-Type': contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, host, resolve),
  )
  // It does not keep the process alive.
  return server.unref()
}
