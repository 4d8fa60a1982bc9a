/* Runs after the build: compresses files once at the best level instead of at every request. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = path.resolve(import.meta.dirname, '../../build/client')
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js|css|svg|txt)$/.test(entry.name)) continue
  const full = path.join(entry.parentPath, entry.name)
  const plain = readFileSync(full)
  writeFileSync(
    `${full}.br`,
    brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
  writeFileSync(`${full}.gz`, gzipSync(plain, { level: 9 }))
}
