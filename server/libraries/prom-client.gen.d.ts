// This file is made of prom-client 15.1.3 by `npm run generate`: see build/libraries.ts
export { Counter, Gauge, Histogram, Registry } from 'prom-client'
