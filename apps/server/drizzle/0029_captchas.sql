CREATE TABLE "spent_captchas" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"date_expired" timestamp with time zone NOT NULL
);
