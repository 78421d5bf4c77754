# One recipe for every program:
#
#   docker build --build-arg SERVICE=gateway -t cofre/gateway:0.1.0 .
#
# SERVICE is a folder of services/, or sandbox. What comes out runs as user 10001, writes nothing to its own files,
# and holds Node, the program and the packages that it uses; beside it /app/bin/health and, for operators, cofrectl.
ARG NODE_IMAGE=node:24-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund --prefer-offline
RUN node_modules/.bin/buf generate && node_modules/.bin/tsc -b services/* sandbox cofrectl

FROM build AS packed
ARG SERVICE
RUN --mount=type=cache,target=/root/.npm sh deploy/pack.sh "$SERVICE" /app

FROM ${BASE_IMAGE}
ARG SERVICE
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="cofre ${SERVICE}" \
      org.opencontainers.image.description="A payments service that a company runs itself" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=packed /app /app
WORKDIR /app
ENV NODE_ENV=production PATH=/app/bin:/usr/local/bin:/usr/bin:/bin
USER 10001:10001
# Node is the first process: it passes SIGTERM to the program, which ends what runs and then itself.
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=32", "/app/main.js"]
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 CMD ["/app/bin/health"]
