/*
 * The floor for pages: a server of node:http alone that answers everything with the same bytes. Takes their
 * number as argument, writes its port to standard output.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = randomBytes(Number(process.argv[2]))
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Length', body.length)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
