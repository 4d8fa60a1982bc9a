import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { trimHeadersOfFile } from './security-headers.ts'

type StaticFile = { type: string; etag: string; plain: Buffer; brotli?: Buffer; gzip?: Buffer }

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Serves the built files of `folder` from memory: they are few, small and compressed, and no path can reach the
 * disk.
 */
export function staticFiles(folder: string): RequestHandler {
  const files = readFiles(folder)
  return (request, response, next) => {
    const file = files.get(request.path)
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
    trimHeadersOfFile(response)
    const isHashed = request.path.startsWith('/assets/')
    response.setHeader(
      'Cache-Control',
      isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    )
    response.setHeader('Vary', 'Accept-Encoding')
    response.setHeader('ETag', file.etag)
    if (request.headers['if-none-match'] === file.etag) return void response.status(304).end()
    // One after the other: of two that a browser likes as well, the parser takes the one that it names first, which is gzip.
    const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip')
    const body =
      (encoding === 'br' && file.brotli) || (encoding === 'gzip' && file.gzip) || file.plain
    if (body !== file.plain) response.setHeader('Content-Encoding', encoding as string)
    response.setHeader('Content-Type', file.type)
    response.setHeader('Content-Length', body.length)
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const full = path.join(entry.parentPath, entry.name)
    const plain = readFileSync(full)
    files.set(`/${path.relative(folder, full).replaceAll(path.sep, '/')}`, {
      type,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      plain,
      ...(existsSync(`${full}.br`) && { brotli: readFileSync(`${full}.br`) }),
      ...(existsSync(`${full}.gz`) && { gzip: readFileSync(`${full}.gz`) }),
    })
  }
  return files
}
