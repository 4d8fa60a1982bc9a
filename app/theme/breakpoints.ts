/** Widths at which pages change: the theme has them, and style sheets as `@media (--below-sm)`. */
export const breakpoints = { xs: '30em', sm: '48em', md: '68em', lg: '88em', xl: '108em' }
