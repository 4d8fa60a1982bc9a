import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** The site map: every URL, grouped under the guard that protects it. */
export default [
  layout('routes/public/layout.tsx', [index('routes/public/home.tsx')]),
  route('login', 'routes/auth/login.tsx'),
  route('*', 'routes/public/not-found.tsx'),
] satisfies RouteConfig
