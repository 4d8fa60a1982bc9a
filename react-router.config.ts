import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The whole site map is small: no request for it, and no URL that answers before the guards.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
