/** Breakpoints of the theme; style sheets use them as `@media (--below-sm)`. */
export const breakpoints = { xs: '30em', sm: '48em', md: '68em', lg: '88em', xl: '108em' }
