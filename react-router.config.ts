import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The site map is small: sending it whole saves a request and an endpoint that responds before the
  // guards.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
