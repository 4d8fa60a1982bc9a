import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import { createRunnableDevEnvironment, type DevEnvironment, defineConfig, type Plugin } from 'vite'

/** Server folders whose code may run in a browser; `tests/architecture.test.ts` checks them. */
const BROWSER_SAFE = /^#server\/(?:domain\/(?:text|asn1|x509|pkcs|efirma)|words)\//

/** Fails the build when a browser module imports a value from server/. */
function keepServerOutOfBrowser(): Plugin {
  return {
    name: 'keep-server-out-of-browser',
    enforce: 'pre',
    resolveId(source, importer) {
      const isServer = source.startsWith('#server/') && !BROWSER_SAFE.test(source)
      if (this.environment.name === 'client' && isServer)
        this.error(`${importer} would ship ${source} to the browser`)
    },
  }
}

/**
 * Keeps server/ out of the bundle: Node runs it as is, so that pages, command line, jobs and workers share
 * one copy of every module and `instanceof Problem` works everywhere.
 */
function keepServerExternal(): Plugin {
  return {
    name: 'keep-server-external',
    enforce: 'pre',
    resolveId(source) {
      if (this.environment.name !== 'ssr' || !source.startsWith('#server/')) return
      // In development Vite imports the module and cannot resolve package.json imports.
      const id = this.environment.mode === 'dev' ? addressOf(source.slice(1)) : source
      return { id, external: true }
    },
  }
}

const addressOf = (place: string) => pathToFileURL(path.join(import.meta.dirname, place)).href

/** The same in development, where Vite would load a second copy of every file URL. */
function runServerByNode(environment: DevEnvironment): DevEnvironment {
  const fetchModule = environment.fetchModule.bind(environment)
  environment.fetchModule = async (id, importer, options) =>
    id.startsWith(addressOf('server/'))
      ? { externalize: id, type: 'module' }
      : await fetchModule(id, importer, options)
  return environment
}

/**
 * Fields of forms: the first page of the dashboard has none. The library's part is apart, because the search that is loaded
 * when it is needed has a field, too: it would link the styles of pages anew.
 */
const INPUTS =
  /@mantine\/core\/.*\/(?:Checkbox|Combobox|InlineInput|Input|InputBase|NativeSelect|TextInput)\//
const FIELDS =
  /app\/ui\/(?:document\/document-filter-fields|forms\/(?:checkbox|select|text-field)|lists\/search-)/

/** On few pages, which have files of their own for them. */
const RARE =
  /@mantine\/core\/.*\/(?:Progress|Radio|Textarea)\/|app\/ui\/(?:document\/picture-consent|forms\/text-area-|reader\/)/

const isSharedLibrary = (id: string) =>
  /node_modules.*\.m?js$/.test(id) && !INPUTS.test(id) && !RARE.test(id)

/**
 * Components of public pages: their styles are inlined in each page, so nothing else may be in this chunk.
 */
const isOfPublicPages = (id: string) =>
  /app\/(?:messages|ui\/(?!shell\/|document\/|upload\/|lists\/(?!item-list)|forms\/(?!csrf-|submit-)))/.test(
    id,
  ) && !RARE.test(id)

/** Shared by hydrated pages. The sentences about e.firma and files stay with what shows them. */
const isOfDashboard = (id: string) =>
  /app\/ui\/(?!forms\/|upload\/)|server\/words\/(?!efirma|described-files)/.test(id) &&
  !FIELDS.test(id) &&
  !RARE.test(id)

/** Apart from the dashboard's styles, because pages also import it when they need it: they would link the styles anew. */
const TEXT = /server\/domain\/text\//

/** A few files instead of one per component: a first visit to the dashboard requests 19, not 73. */
const groups = [
  { name: 'text', test: TEXT, priority: 5 },
  { name: 'libraries', test: isSharedLibrary, priority: 4 },
  { name: 'inputs', test: INPUTS, priority: 4 },
  { name: 'ui', test: isOfPublicPages, priority: 3 },
  { name: 'dashboard', test: isOfDashboard, priority: 2 },
  { name: 'fields', test: FIELDS, priority: 1 },
  // Lazy imports, such as the toasts, are not part of a first visit.
].map((group) => ({ ...group, tags: ['$initial' as const] }))

/* Hides build timings: an operator cannot act on them. */
const checks = { bundlerTimings: false }

/**
 * Libraries that browser code imports, except React and React Router, which their plugin adds. In
 * development Vite bundles them before the first page: a later discovery would reload every open page.
 * `tests/architecture.test.ts` keeps the list complete.
 */
const BROWSER_LIBRARIES = [
  '@mantine/core',
  '@mantine/notifications',
  '@mantine/spotlight',
  '@simplewebauthn/browser',
  'des.js',
  'get-nonce',
  'remix-utils/use-hydrated',
  'remix-utils/use-should-hydrate',
]

export default defineConfig({
  plugins: [keepServerOutOfBrowser(), keepServerExternal(), reactRouter()],
  optimizeDeps: { noDiscovery: true, include: BROWSER_LIBRARIES },
  build: {
    assetsInlineLimit: 0,
    target: ['chrome109', 'firefox115'],
    rollupOptions: { checks },
  },
  worker: { format: 'es', rollupOptions: { checks } },
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups } } } } },
    ssr: {
      build: { rollupOptions: { input: './server/app.ts' }, target: 'node24' },
      dev: {
        createEnvironment: (name, config) =>
          runServerByNode(createRunnableDevEnvironment(name, config)),
      },
    },
  },
})
