import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, runnerImport } from 'vite'
import { chunkGroups } from './chunks.ts'

const apiOrigin = process.env.SALLYPORT_API_ORIGIN ?? 'http://127.0.0.1:8080'
const pageOf = (name: string) => fileURLToPath(new URL(`./${name}.html`, import.meta.url))

/** A message catalogue asked for with `?language=zh` becomes a module of that language alone, so a browser loads one. */
function messageLanguages(): Plugin {
  const request = /^(.*\/messages\/(?:[\w-]+\/)?[\w-]+\.ts)\?language=(\w+)$/
  /** Modules by the files they are put together from. */
  const madeOf = new Map<string, Set<string>>()
  return {
    name: 'message-languages',
    enforce: 'pre',
    async load(id) {
      const [, file, language] = request.exec(id) ?? []
      if (file === undefined || language === undefined) return null
      const { module, dependencies } = await catalogueIn(file, this.meta.watchMode)
      for (const one of [file, ...dependencies]) {
        this.addWatchFile(one)
        madeOf.set(one, (madeOf.get(one) ?? new Set()).add(id))
      }
      const messages = module[language]
      if (messages === undefined) throw new Error(`${file} has no messages in "${language}"`)
      return { code: `export default ${JSON.stringify(messages)}`, moduleType: 'js' }
    },
    hotUpdate({ file, modules }) {
      const { moduleGraph } = this.environment
      const made = [...(madeOf.get(file) ?? [])].flatMap((id) => moduleGraph.getModuleById(id) ?? [])
      return [...modules, ...made]
    },
  }
}

interface CatalogueFile {
  module: Record<string, unknown>
  /** What it is put together from. */
  dependencies: readonly string[]
}

/** Where files are watched, as it is now: Node keeps what it has imported once, and what that imports. */
async function catalogueIn(file: string, isWatched: boolean): Promise<CatalogueFile> {
  if (isWatched) return await runnerImport<Record<string, unknown>>(file, { configFile: false })
  return { module: (await import(pathToFileURL(file).href)) as Record<string, unknown>, dependencies: [] }
}

/** In development the pages come from here at the addresses they have in production. */
function productionAddresses(): Plugin {
  const pages: readonly (readonly [RegExp, string])[] = [
    [/^\/luna(\/|$|\?)/, '/ui/luna.html'],
    [/^\/core\/auth\/login\/?($|\?)/, '/ui/index.html'],
    [/^\/$/, '/ui/'],
  ]
  return {
    name: 'production-addresses',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
        const page = wantsPage && pages.find(([address]) => address.test(request.url ?? ''))
        if (page) request.url = page[1]
        next()
      })
    },
  }
}

/** Writes each file in compressed forms beside it, so that the server compresses nothing while it serves. */
function precompressed(): Plugin {
  const forms = [
    ['.br', promisify(brotliCompress)],
    ['.gz', promisify(gzip)],
  ] as const
  const smallestBytes = 1024
  return {
    name: 'precompressed',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the build has no folder to write to')
      for (const [name, file] of Object.entries(bundle)) {
        const content = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        if (content.length < smallestBytes || !/\.(?:js|css|html|svg)$/.test(name)) continue
        await Promise.all(
          forms.map(async ([suffix, compress]) =>
            writeFile(join(dir, name + suffix), await compress(content)),
          ),
        )
      }
    },
  }
}

/**
 * Names in the page, as data, the files of the console itself: the sign-in page fetches them while a person types
 * (src/app/sign-in/files-to-come.ts).
 */
function filesToCome(): Plugin {
  return {
    name: 'files-to-come',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, filename }) {
        if (filename !== pageOf('index')) return []
        const chunks = new Map(
          Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
        )
        const named = new Set<string>()
        const name = (file: string) => {
          const chunk = chunks.get(file)
          if (chunk === undefined || named.has(file) || html.includes(file)) return
          named.add(file)
          for (const css of chunk.viteMetadata?.importedCss ?? []) if (!html.includes(css)) named.add(css)
          chunk.imports.forEach(name)
        }
        // The file that leads to them is nothing but its imports.
        for (const { facadeModuleId, imports } of chunks.values())
          if (facadeModuleId?.endsWith('/src/app/app.tsx')) imports.forEach(name)
        if (named.size === 0) throw new Error('the console has no files of its own')
        const children = JSON.stringify([...named].map((file) => `/ui/${file}`))
        return [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'files-to-come' },
            children,
            injectTo: 'body' as const,
          },
        ]
      },
    },
  }
}

const proxied = { target: apiOrigin, ws: true, changeOrigin: true, headers: { origin: apiOrigin } }

export default defineConfig({
  base: '/ui/',
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [messageLanguages(), productionAddresses(), react(), filesToCome(), precompressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Every browser that can run the rest knows module preloading.
    modulePreload: { polyfill: false },
    // What every page with a list needs comes as one file (chunks.ts); budget.browser.test.ts keeps the whole small.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: { index: pageOf('index'), luna: pageOf('luna') },
      // They do nothing when they are loaded, and do not say so: what is not used of them stays out.
      treeshake: { moduleSideEffects: [{ test: /\/node_modules\/@rc-component\//u, sideEffects: false }] },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': proxied,
      '/core': proxied,
      '/ws': proxied,
      '/koko': proxied,
      '/static': proxied,
      '/media': proxied,
    },
  },
})
