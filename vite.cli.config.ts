import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/*
 * Bundles the most frequent commands into build/cli/frequent.cjs; as CommonJS, Node loads only the built-in
 * modules that are used. server/run.mjs decides whether the bundle is current.
 */

/** Inputs of the bundle that are not bundled themselves. */
const DECISIVE = ['package.json', 'package-lock.json', 'vite.cli.config.ts']

const nameOf = (file: string) => path.relative('.', file).replaceAll(path.sep, '/')

/**
 * Records the bundle's sources with their SHA-256 in its first line: a bundle of other sources than those
 * on disk is not used. The lockfile stands for node_modules.
 */
function tellSources(): Plugin {
  const sources: Record<string, string> = {}
  const read = (file: string) => {
    const content = readFileSync(file)
    sources[nameOf(file)] = createHash('sha256').update(content).digest('hex')
    return content.toString('utf8')
  }
  return {
    name: 'tell-sources',
    buildStart: () => DECISIVE.forEach(read),
    load: (id) => (nameOf(id).startsWith('server/') ? read(id) : undefined),
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = `//${JSON.stringify(sources)}\n${file.code}`
    },
  }
}

/** Resolves fonts and workers beside the module that names them, not beside the bundle. */
function keepPlaces(): Plugin {
  const place = (id: string) =>
    `require('node:url').pathToFileURL(require('node:path').join(__dirname, '../..', ${JSON.stringify(nameOf(id))})).href`
  return {
    name: 'keep-places',
    transform: (code, id) =>
      code.includes('import.meta.url') ? code.replaceAll('import.meta.url', place(id)) : undefined,
  }
}

export default defineConfig({
  plugins: [tellSources(), keepPlaces()],
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    target: 'node24',
    minify: true,
    rollupOptions: {
      input: './server/cli/frequent.ts',
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
})
